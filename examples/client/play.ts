// Plays a game of Gomoku against the computer: every second move is the house's hint, the others are its own idea.
// node dist/play.js [http://127.0.0.1:8080] [level]
import { Table } from './client.ts'

const [base = 'http://127.0.0.1:8080', level = 'beginner'] = process.argv.slice(2)
const table = await Table.open(base, {
  game: 'gomoku',
  seats: [{ kind: 'me' }, { kind: 'bot', level }],
  options: { help: true },
})
console.log(`table ${table.id}: ${base}/t/${table.id}`)

/** A point beside the newest stone, or any that is free. */
const near = (points: string[], last: string | undefined): string | undefined => {
  const place = (point: string): [number, number] => [point.charCodeAt(0), Number(point.slice(1))]
  const [x, y] = place((last ?? 'H8').toUpperCase())
  const distance = (point: string): number => {
    const [a, b] = place(point.toUpperCase())
    return Math.max(Math.abs(a - x), Math.abs(b - y))
  }
  return points.toSorted((a, b) => distance(a) - distance(b))[0]
}

for (let moves = 0; ; moves++) {
  const seen = await table.turn()
  if (seen.state === 'over') {
    console.log(`${seen.history.length} stones, ${seen.outcome?.reason ?? 'no reason'}: I ${seen.outcome?.results[table.seat] ?? 'do not know'}`)
    break
  }
  const free = (seen.legal ?? []).map((line) => line.text)
  const hint = moves % 2 === 1 ? await table.hint() : undefined
  const point = hint?.move.name ?? near(free, seen.history.at(-1)?.text)
  if (point === undefined) throw new Error('nothing can be played')
  await table.act(point, seen.ply)
  console.log(hint ? `${point}: ${hint.note}` : point)
}
