/** Faults of the layout, found in the page: overflow, cut-off text, controls that overlap. Runs in the browser. */
export function layoutFaults() {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth + 1) faults.push(`the page is ${root.scrollWidth} px wide in a window of ${innerWidth} px`)
  const name = (element) => {
    const text = (element.getAttribute('aria-label') || element.textContent || element.tagName).trim().replace(/\s+/g, ' ').slice(0, 40)
    return `<${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.split(' ')[0]}` : ''}> "${text}"`
  }
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.sr, [aria-hidden="true"], svg')
  const layer = (element) => {
    for (let at = element; at; at = at.parentElement) if (['sticky', 'fixed'].includes(getComputedStyle(at).position) || at.tagName === 'DIALOG') return at
    return null
  }
  const scroller = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowX + getComputedStyle(at).overflowY)) return at
    return null
  }
  const dialog = document.querySelector('dialog[open]')
  const within = (dialog ?? document.body).querySelectorAll('*')

  // Text that its own box cuts off, and boxes that reach beyond the window.
  for (const element of within) {
    if (!shown(element) || !element.childNodes.length) continue
    const style = getComputedStyle(element)
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    if (!own) continue
    if (/hidden|clip/.test(style.overflowX) && style.textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1)
      faults.push(`${name(element)} is cut off (${element.scrollWidth} px of text in ${element.clientWidth} px)`)
    const box = element.getBoundingClientRect()
    if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !scroller(element))
      faults.push(`${name(element)} reaches beyond the window (${Math.round(box.left)}–${Math.round(box.right)})`)
    if (Number.parseFloat(style.fontSize) < 10.5) faults.push(`${name(element)} has text of ${style.fontSize}`)
  }

  // Controls that lie on one another, or on the board.
  const controls = [...within].filter(
    (element) =>
      element.matches('button, a[href], input:not([type=file]), select, textarea, summary, [role="slider"], [data-testid="board"]') && shown(element.matches('svg') ? element.parentElement : element),
  )
  const boxes = controls.map((element) => ({ element, box: element.getBoundingClientRect(), layer: layer(element), scroller: scroller(element) })).filter(({ box }) => box.width > 0 && box.height > 0)
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      if (a.layer !== b.layer || a.scroller !== b.scroller || a.element.contains(b.element) || b.element.contains(a.element)) continue
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
      if (width > 2 && height > 2) faults.push(`${name(a.element)} and ${name(b.element)} overlap by ${Math.round(width)} × ${Math.round(height)} px`)
    }
  }
  return faults
}
