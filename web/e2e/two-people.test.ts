/** Two people on two pages: one reloads in the middle, one loses the connection; nothing is lost. */

import { afterAll, describe, expect, it } from 'vitest'
import { base, cell, clickPoint, DESKTOP, expectCalm, says, somebody, untilStones, withBrowser } from './house'
import { wireTo, type CutWire } from './wire'

withBrowser()

let wire: CutWire
afterAll(() => wire?.close())

describe('two people', () => {
  it('play a game to its end through a reload and a lost connection', async () => {
    const host = await somebody()
    await host.page.goto(`${base}/g/gomoku`)
    await host.page.getByRole('radio', { name: /A friend/ }).check()
    await host.page.getByRole('button', { name: 'Open the table' }).click()
    const dialog = host.page.getByRole('dialog')
    const link = await dialog.getByLabel('Link').inputValue()
    await dialog.getByText(/this computer only/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    // The guest's way to the server can be cut.
    wire = await wireTo(base)
    const guest = await somebody(DESKTOP, /ERR_|WebSocket|Failed to (load|fetch)/)
    await guest.page.goto(wire.base + new URL(link).pathname)
    await guest.page.getByRole('button', { name: 'Sit here' }).click()
    await says(host.page, /Your turn: place a black stone/)

    await clickPoint(host.page, 'H8')
    await untilStones(guest.page, 1)
    await says(guest.page, /Your turn: place a white stone/)
    await clickPoint(guest.page, 'A1')
    await untilStones(host.page, 2)

    await host.page.reload()
    await untilStones(host.page, 2)
    await says(host.page, /Your turn/)
    await clickPoint(host.page, 'H9')
    await untilStones(guest.page, 3)

    // The guest moves while cut off: the stone waits and goes through when the way is open again.
    wire.cut()
    await guest.page.getByText(/Connection lost/).waitFor()
    await clickPoint(guest.page, 'C1')
    await says(guest.page, /Sending/)
    wire.mend()
    await untilStones(host.page, 4)
    await untilStones(guest.page, 4)

    // The host moves while the guest is cut off: the guest sees it afterwards.
    wire.cut()
    await guest.page.getByText(/Connection lost/).waitFor()
    await clickPoint(host.page, 'H10')
    await untilStones(host.page, 5)
    wire.mend()
    await untilStones(guest.page, 5)
    expect(await cell(guest.page, 'H10').getAttribute('aria-label')).toMatch(/black stone/)

    // Undo is by agreement.
    await host.page.getByRole('button', { name: 'Undo', exact: true }).click()
    await guest.page.getByRole('button', { name: 'Agree' }).click()
    await untilStones(host.page, 4)
    await untilStones(guest.page, 4)

    const moves: [typeof host.page, string][] = [
      [host.page, 'H10'],
      [guest.page, 'E1'],
      [host.page, 'H11'],
      [guest.page, 'G1'],
      [host.page, 'H12'],
    ]
    let count = 4
    for (const [page, point] of moves) {
      await clickPoint(page, point)
      count++
      await untilStones(host.page, count)
      await untilStones(guest.page, count)
    }
    await says(host.page, /You won/)
    await says(guest.page, /You lost/)

    await guest.page.getByRole('button', { name: 'Rematch' }).click()
    await host.page.getByRole('button', { name: 'Go to the rematch' }).click()
    await says(guest.page, /Your turn: place a black stone/)
    await expectCalm(host)
    await expectCalm(guest)
  })

  it('others can watch but not play', async () => {
    const { page } = await somebody()
    await page.goto(`${base}/g/gomoku`)
    await page.getByRole('radio', { name: /Together here/ }).check()
    await page.getByRole('button', { name: 'Start' }).click()
    await clickPoint(page, 'H8')
    await untilStones(page, 1)
    const watcher = await somebody()
    await watcher.page.goto(page.url())
    await untilStones(watcher.page, 1)
    await clickPoint(watcher.page, 'H9')
    await clickPoint(page, 'I9')
    await untilStones(page, 2)
    await untilStones(watcher.page, 2)
    expect(await cell(watcher.page, 'H9').getAttribute('aria-label')).toMatch(/empty/)
    await expectCalm(watcher)
  })
})
