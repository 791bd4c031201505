/** Two users: one reloads during the game, one loses the connection; no move is lost. */

import { afterAll, describe, expect, it } from 'vitest'
import { base, cell, clickPoint, DESKTOP, expectNoErrors, expectStatus, newUser, expectStones, withBrowser } from './harness'
import { startProxy, type TestProxy } from './proxy'

withBrowser()

let proxy: TestProxy
afterAll(() => proxy?.close())

describe('two users', () => {
  it('a whole game through a reload and a lost connection', async () => {
    const host = await newUser()
    await host.page.goto(`${base}/g/gomoku`)
    await host.page.getByRole('radio', { name: /A friend/ }).check()
    await host.page.getByRole('button', { name: 'Open the table' }).click()
    const dialog = host.page.getByRole('dialog')
    const link = await dialog.getByLabel('Link').inputValue()
    await dialog.getByText(/this computer only/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    // The guest's connection goes through a proxy.
    proxy = await startProxy(base)
    const guest = await newUser(DESKTOP, /ERR_|WebSocket|Failed to (load|fetch)/)
    await guest.page.goto(proxy.base + new URL(link).pathname)
    await guest.page.getByRole('button', { name: 'Sit here' }).click()
    await expectStatus(host.page, /Your turn: place a black stone/)

    await clickPoint(host.page, 'H8')
    await expectStones(guest.page, 1)
    await expectStatus(guest.page, /Your turn: place a white stone/)
    await clickPoint(guest.page, 'A1')
    await expectStones(host.page, 2)

    await host.page.reload()
    await expectStones(host.page, 2)
    await expectStatus(host.page, /Your turn/)
    await clickPoint(host.page, 'H9')
    await expectStones(guest.page, 3)

    // The guest moves while disconnected: the stone waits and is sent after reconnecting.
    proxy.disconnect()
    await guest.page.getByText(/Connection lost/).waitFor()
    await clickPoint(guest.page, 'C1')
    await expectStatus(guest.page, /Sending/)
    proxy.reconnect()
    await expectStones(host.page, 4)
    await expectStones(guest.page, 4)

    // The host moves while the guest is disconnected: the guest sees it afterwards.
    proxy.disconnect()
    await guest.page.getByText(/Connection lost/).waitFor()
    await clickPoint(host.page, 'H10')
    await expectStones(host.page, 5)
    proxy.reconnect()
    await expectStones(guest.page, 5)
    expect(await cell(guest.page, 'H10').getAttribute('aria-label')).toMatch(/black stone/)

    // Undo needs agreement.
    await host.page.getByRole('button', { name: 'Undo', exact: true }).click()
    await guest.page.getByRole('button', { name: 'Agree' }).click()
    await expectStones(host.page, 4)
    await expectStones(guest.page, 4)

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
      await expectStones(host.page, count)
      await expectStones(guest.page, count)
    }
    await expectStatus(host.page, /You won/)
    await expectStatus(guest.page, /You lost/)

    await guest.page.getByRole('button', { name: 'Rematch' }).click()
    await host.page.getByRole('button', { name: 'Go to the rematch' }).click()
    await expectStatus(guest.page, /Your turn: place a black stone/)
    await expectNoErrors(host)
    await expectNoErrors(guest)
  })

  it('spectators', async () => {
    const { page } = await newUser()
    await page.goto(`${base}/g/gomoku`)
    await page.getByRole('radio', { name: /Together here/ }).check()
    await page.getByRole('button', { name: 'Start' }).click()
    await clickPoint(page, 'H8')
    await expectStones(page, 1)
    const watcher = await newUser()
    await watcher.page.goto(page.url())
    await expectStones(watcher.page, 1)
    await clickPoint(watcher.page, 'H9')
    await clickPoint(page, 'I9')
    await expectStones(page, 2)
    await expectStones(watcher.page, 2)
    expect(await cell(watcher.page, 'H9').getAttribute('aria-label')).toMatch(/empty/)
    await expectNoErrors(watcher)
  })
})
