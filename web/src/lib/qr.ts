/** QR codes for links: byte mode, error correction M, versions 1 to 10 (up to 213 bytes), after ISO/IEC 18004. */

export interface Qr {
  size: number
  /** The dark modules as one SVG path. */
  path: string
  dark: (row: number, column: number) => boolean
}

/** Per version from 1: all codewords, correction codewords per block, blocks (level M). */
const VERSIONS: [total: number, correction: number, blocks: number][] = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
  [196, 18, 4],
  [242, 22, 4],
  [292, 22, 5],
  [346, 26, 5],
]
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]]

const EXP = new Uint8Array(512)
const LOG = new Uint8Array(256)
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x
  LOG[x] = i
  x = x & 0x80 ? (x << 1) ^ 0x11d : x << 1
}

/** Reed–Solomon remainder of `data` for `count` correction codewords. */
function correction(data: Uint8Array, count: number): Uint8Array {
  let generator = Uint8Array.of(1)
  for (let i = 0; i < count; i++) {
    const next = new Uint8Array(generator.length + 1)
    generator.forEach((value, at) => {
      next[at]! ^= value
      if (value) next[at + 1]! ^= EXP[LOG[value]! + i]!
    })
    generator = next
  }
  const rest = new Uint8Array(data.length + count)
  rest.set(data)
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i]!
    if (lead) generator.forEach((value, at) => (rest[i + at]! ^= EXP[LOG[value]! + LOG[lead]!]!))
  }
  return rest.slice(data.length)
}

/** Mode, length, bytes and padding as data codewords. */
function pack(bytes: Uint8Array, version: number, capacity: number): Uint8Array {
  const bits: number[] = []
  const put = (value: number, width: number) => {
    for (let i = width - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  put(4, 4)
  put(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) put(byte, 8)
  put(0, Math.min(4, capacity * 8 - bits.length))
  while (bits.length % 8) bits.push(0)
  const data = new Uint8Array(capacity)
  for (let i = 0; i < capacity; i++) {
    data[i] = i < bits.length / 8 ? bits.slice(i * 8, i * 8 + 8).reduce((a, b) => a * 2 + b, 0) : (i - bits.length / 8) % 2 ? 0x11 : 0xec
  }
  return data
}

/** Data and correction codewords of all blocks, interleaved. */
function interleave(data: Uint8Array, total: number, perBlock: number, blocks: number): Uint8Array {
  const short = Math.floor(data.length / blocks)
  const long = data.length % blocks
  const parts: Uint8Array[] = []
  for (let i = 0, at = 0; i < blocks; i++) {
    const length = short + (i >= blocks - long ? 1 : 0)
    parts.push(data.slice(at, at + length))
    at += length
  }
  const checks = parts.map((part) => correction(part, perBlock))
  const out: number[] = []
  for (let i = 0; i <= short; i++) for (const part of parts) if (i < part.length) out.push(part[i]!)
  for (let i = 0; i < perBlock; i++) for (const check of checks) out.push(check[i]!)
  return Uint8Array.from(out.slice(0, total))
}

/** `value` followed by its BCH remainder. */
function bch(value: number, generator: number, width: number): number {
  const degree = Math.floor(Math.log2(generator))
  let rest = value << degree
  for (let i = width + degree - 1; i >= degree; i--) if ((rest >> i) & 1) rest ^= generator << (i - degree)
  return (value << degree) | rest
}

const MASKS: ((r: number, c: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

class Grid {
  readonly cells: Uint8Array
  readonly fixed: Uint8Array
  constructor(readonly size: number) {
    this.cells = new Uint8Array(size * size)
    this.fixed = new Uint8Array(size * size)
  }
  get(r: number, c: number): number {
    return this.cells[r * this.size + c]!
  }
  fix(r: number, c: number, dark: boolean | number): void {
    if (r < 0 || c < 0 || r >= this.size || c >= this.size) return
    this.cells[r * this.size + c] = dark ? 1 : 0
    this.fixed[r * this.size + c] = 1
  }
}

function patterns(version: number): Grid {
  const grid = new Grid(17 + 4 * version)
  const end = grid.size - 1
  for (let i = 8; i < end - 7; i++) {
    grid.fix(6, i, i % 2 === 0)
    grid.fix(i, 6, i % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, end - 3],
    [end - 3, 3],
  ] as const) {
    for (let r = -4; r <= 4; r++) {
      for (let c = -4; c <= 4; c++) {
        const ring = Math.max(Math.abs(r), Math.abs(c))
        grid.fix(row + r, column + c, ring !== 2 && ring !== 4)
      }
    }
  }
  const centres = ALIGNMENT[version - 1]!
  const lastCentre = centres.at(-1)
  for (const row of centres) {
    for (const column of centres) {
      if ((row === 6 && column === 6) || (row === 6 && column === lastCentre) || (row === lastCentre && column === 6)) continue
      for (let r = -2; r <= 2; r++) {
        for (let c = -2; c <= 2; c++) grid.fix(row + r, column + c, Math.max(Math.abs(r), Math.abs(c)) !== 1)
      }
    }
  }
  if (version >= 7) {
    const bits = bch(version, 0x1f25, 6)
    for (let i = 0; i < 18; i++) {
      const a = Math.floor(i / 3)
      const b = end - 10 + (i % 3)
      grid.fix(a, b, (bits >> i) & 1)
      grid.fix(b, a, (bits >> i) & 1)
    }
  }
  format(grid, 0)
  return grid
}

/** Writes the level and mask beside the finders. */
function format(grid: Grid, mask: number): void {
  const bits = bch(mask, 0x537, 5) ^ 0x5412
  const end = grid.size - 1
  for (let i = 0; i < 15; i++) {
    const dark = (bits >> i) & 1
    if (i < 8) grid.fix(8, end - i, dark)
    else grid.fix(end - 14 + i, 8, dark)
    if (i < 6) grid.fix(i, 8, dark)
    else if (i < 8) grid.fix(i + 1, 8, dark)
    else if (i === 8) grid.fix(8, 7, dark)
    else grid.fix(8, 14 - i, dark)
  }
  grid.fix(end - 7, 8, 1)
}

function fill(grid: Grid, words: Uint8Array, mask: number): void {
  let bit = 0
  let up = true
  for (let right = grid.size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let i = 0; i < grid.size; i++) {
      const row = up ? grid.size - 1 - i : i
      for (const column of [right, right - 1]) {
        if (grid.fixed[row * grid.size + column]) continue
        const value = ((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1
        grid.cells[row * grid.size + column] = value ^ (MASKS[mask]!(row, column) ? 1 : 0)
        bit++
      }
    }
    up = !up
  }
  format(grid, mask)
}

/** The standard's penalty: lower reads better. */
function penalty(grid: Grid): number {
  const { size } = grid
  let total = 0
  let dark = 0
  for (let a = 0; a < size; a++) {
    for (const cell of [(b: number) => grid.get(a, b), (b: number) => grid.get(b, a)]) {
      let run = 1
      let window = cell(0)
      for (let b = 1; b < size; b++) {
        if (cell(b) === cell(b - 1)) run++
        else {
          if (run >= 5) total += run - 2
          run = 1
        }
        window = ((window << 1) | cell(b)) & 0x7ff
        if (b >= 10 && (window === 0b10111010000 || window === 0b00001011101)) total += 40
      }
      if (run >= 5) total += run - 2
    }
    for (let b = 0; b < size; b++) {
      dark += grid.get(a, b)
      if (a && b) {
        const value = grid.get(a, b)
        if (value === grid.get(a - 1, b) && value === grid.get(a, b - 1) && value === grid.get(a - 1, b - 1)) total += 3
      }
    }
  }
  return total + 10 * Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5)
}

/** The code of a text, or null where it is too long. */
export function qr(text: string, mask?: number): Qr | null {
  const bytes = new TextEncoder().encode(text)
  const version = 1 + VERSIONS.findIndex(([total, each, blocks], index) => bytes.length + (index < 9 ? 2 : 3) <= total - each * blocks)
  if (version === 0) return null
  const [total, each, blocks] = VERSIONS[version - 1]!
  const words = interleave(pack(bytes, version, total - each * blocks), total, each, blocks)
  let best: { grid: Grid; cost: number } | null = null
  for (const choice of mask === undefined ? MASKS.keys() : [mask]) {
    const grid = patterns(version)
    fill(grid, words, choice)
    const cost = penalty(grid)
    if (!best || cost < best.cost) best = { grid, cost }
  }
  const { grid } = best!
  let path = ''
  for (let r = 0; r < grid.size; r++) {
    for (let c = 0; c < grid.size; c++) if (grid.get(r, c)) path += `M${c} ${r}h1v1h-1z`
  }
  return { size: grid.size, path, dark: (row, column) => grid.get(row, column) === 1 }
}
