/** The icon that the page names, wherever the bundler has put it. */
export const icon: string = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''
