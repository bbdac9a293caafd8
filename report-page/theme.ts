import { h } from './dom.ts'

/** A switch between dark and light; until it is used, the page is as the system is. */
export function themeSwitch(): HTMLButtonElement {
  const root = document.documentElement
  const button = h('button', { type: 'button', class: 'theme' }, 'Dark or light')
  button.addEventListener('click', () => {
    const isDark = root.dataset['theme']
      ? root.dataset['theme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset['theme'] = isDark ? 'light' : 'dark'
    button.setAttribute('aria-label', `Dark or light: now ${root.dataset['theme']}`)
  })
  return button
}
