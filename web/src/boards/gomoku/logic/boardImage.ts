/** Renders a position as a stand-alone SVG file. */

import { columnName, gridPath, lastStone, toSvg, svgSize, starPoints, type View } from '../model'

export interface BoardImageOptions {
  numbers: boolean
  coordinates: boolean
}

/** SVG text. Colours are those of the light theme, so that it prints well. */
export function boardSvg(view: View, { numbers, coordinates }: BoardImageOptions): string {
  const total = svgSize(view.size, coordinates)
  const parts: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${total}" width="${total}" height="${total}">`,
    '<defs><radialGradient id="b" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#6a625b"/><stop offset=".45" stop-color="#2b2622"/><stop offset="1" stop-color="#0d0b09"/></radialGradient>',
    '<radialGradient id="w" cx=".35" cy=".3" r=".85"><stop offset="0" stop-color="#fff"/><stop offset=".6" stop-color="#f6f0e6"/><stop offset="1" stop-color="#cfc3b0"/></radialGradient></defs>',
    `<rect width="${total}" height="${total}" fill="#e3b878"/>`,
  ]
  parts.push(`<path d="${gridPath(view.size, coordinates)}" stroke="#5e4122" stroke-width="1.4" fill="none" stroke-linecap="square"/>`)
  for (const star of starPoints(view.size)) {
    const { x, y } = toSvg(star, coordinates)
    parts.push(`<circle cx="${x}" cy="${y}" r="4" fill="#5e4122"/>`)
  }
  if (coordinates) {
    for (let i = 0; i < view.size; i++) {
      const at = toSvg({ x: i, y: i }, coordinates)
      parts.push(text(at.x, total - 12, columnName(i), '#4c3318', 15), text(16, at.y + 5, String(view.size - i), '#4c3318', 15))
    }
  }
  const last = lastStone(view)
  view.stones.forEach((stone, index) => {
    const { x, y } = toSvg(stone, coordinates)
    const black = stone.color === 'black'
    parts.push(`<circle cx="${x}" cy="${y}" r="18.2" fill="url(#${black ? 'b' : 'w'})" stroke="${black ? '#0d0b09' : '#a3947d'}" stroke-width=".8"/>`)
    if (numbers) parts.push(text(x, y + 5.5, String(index + 1), black ? '#fff' : '#1d1a18', index < 99 ? 16 : 13))
    else if (last === stone) parts.push(`<circle cx="${x}" cy="${y}" r="5" fill="#c8503c"/>`)
  })
  const [from, to] = [view.line[0], view.line.at(-1)]
  if (from && to) {
    const a = toSvg(from, coordinates)
    const b = toSvg(to, coordinates)
    parts.push(`<line x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}" stroke="#c8503c" stroke-width="5" stroke-linecap="round" opacity=".85"/>`)
  }
  parts.push('</svg>')
  return parts.join('\n')
}

function text(x: number, y: number, value: string, color: string, size: number): string {
  return `<text x="${x}" y="${y}" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-weight="600" font-size="${size}" fill="${color}">${value}</text>`
}

/** Renders the SVG as PNG, `scale` times as large. */
export async function png(svg: string, scale = 2): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth * scale
    canvas.height = image.naturalHeight * scale
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'))
  } finally {
    URL.revokeObjectURL(url)
  }
}
