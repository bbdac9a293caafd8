type Child = Node | string | undefined | false
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>

const SVG = 'http://www.w3.org/2000/svg'

/** An element of HTML. Texts become text, never markup: much of what is shown was sent by a gateway. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children)
}

/** An element of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children)
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value))
  }
  element.append(...children.filter(child => child !== undefined && child !== false))
  return element
}

/** A button that copies a text, and says that it did. */
export function copyButton(text: string, what: string): HTMLButtonElement {
  const button = h('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, 'Copy')
  button.addEventListener('click', () => {
    const done = () => {
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    }
    // A file that was opened from the disk may have no clipboard.
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => select(button))
    else select(button)
  })
  return button
}

/** Marks the text beside the button, so that it can be copied by hand. */
function select(button: HTMLElement): void {
  const code = button.parentElement?.querySelector('code')
  if (code) getSelection()?.selectAllChildren(code)
}
