/** Synthesised sounds, off by default. */

import { prefs } from './prefs.svelte'

type Sound = 'place' | 'turn' | 'end' | 'no'

let context: AudioContext | null = null

/** Frequency in Hz, length in seconds and gain of each tone. */
const TONES: Record<Sound, [number, number, number][]> = {
  place: [[190, 0.07, 0.12]],
  turn: [[520, 0.09, 0.05]],
  end: [
    [392, 0.18, 0.06],
    [523, 0.26, 0.06],
  ],
  no: [[130, 0.12, 0.07]],
}

/** Browsers start audio only after a gesture: prepare it with the first one. */
export function prepareSound(): void {
  const unlock = () => {
    if (!prefs.sounds) return
    try {
      context ??= new AudioContext()
      void context.resume()
      for (const type of ['pointerdown', 'keydown']) removeEventListener(type, unlock)
    } catch {
      // No audio device: stay silent.
    }
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, unlock)
}

export function play(sound: Sound): void {
  if (!prefs.sounds) return
  try {
    context ??= new AudioContext()
    let at = context.currentTime
    for (const [pitch, length, loudness] of TONES[sound]) {
      const tone = context.createOscillator()
      const gain = context.createGain()
      tone.type = sound === 'place' ? 'triangle' : 'sine'
      tone.frequency.setValueAtTime(pitch, at)
      gain.gain.setValueAtTime(loudness, at)
      gain.gain.exponentialRampToValueAtTime(0.0001, at + length)
      tone.connect(gain).connect(context.destination)
      tone.start(at)
      tone.stop(at + length)
      at += length * 0.7
    }
  } catch {
    // No audio device: stay silent.
  }
}
