/** Server metrics for the operator, and their conversion to plots. */

import { refusal } from '../lib/api'
import type { Metrics } from '../lib/apiTypes'

export type Operations = Metrics
/** Metrics at one moment. */
export type Sample = Metrics['now']
export type RunLine = Metrics['runs'][number]

/** Requests the metrics with the operator's token. */
export async function look(token: string): Promise<Operations> {
  const answer = await fetch('/api/v1/operations', { headers: { authorization: `Bearer ${token}` }, credentials: 'omit' })
  if (!answer.ok) throw await refusal(answer)
  return (await answer.json()) as Operations
}

/** A plotted series. */
export interface Series {
  label: string
  value: (sample: Sample) => number
}

/** Smallest round number (1, 2 or 5 times a power of ten) not below a value. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9))!
  return step * power
}

export interface Frame {
  width: number
  height: number
  /** Space at the left for labels, and padding. */
  left: number
  pad: number
}

/** SVG path of a series: time runs right over all samples, `top` is the upper edge. */
export function line(samples: readonly Sample[], value: (sample: Sample) => number, top: number, frame: Frame): string {
  const first = samples[0]?.at_ms ?? 0
  const span = Math.max(1, (samples.at(-1)?.at_ms ?? 0) - first)
  const width = frame.width - frame.left - frame.pad
  const height = frame.height - 2 * frame.pad
  return samples
    .map((sample, index) => {
      const x = frame.left + ((sample.at_ms - first) / span) * width
      const y = frame.pad + (1 - Math.min(1, Math.max(0, value(sample) / top))) * height
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

/** Cores used in each step; the first sample has none. */
export function cores(samples: readonly Sample[]): Map<number, number> {
  const used = new Map<number, number>()
  samples.forEach((sample, index) => {
    const before = samples[index - 1]
    const seconds = before ? (sample.at_ms - before.at_ms) / 1000 : 0
    used.set(sample.at_ms, before && seconds > 0 ? Math.max(0, (sample.cpu_seconds - before.cpu_seconds) / seconds) : 0)
  })
  return used
}
