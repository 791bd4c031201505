/** Accounts: created from a guest, a rated game, sign-in on another machine, deletion. */

import { describe, expect, it } from 'vitest'
import { base, clickPoint, expectNoErrors, PHONE, expectStatus, newUser, expectStones, withBrowser } from './harness'

withBrowser()

describe('an account', () => {
  it('rating and name follow the account; deletion', async () => {
    const login = `walker-${Date.now()}`
    const first = await newUser()
    const { page } = first
    await page.goto(`${base}/me`)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('Name to sign in with').fill(login)
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText(`You are signed in as ${login}.`).waitFor()
    await expectNoErrors(first)

    await page.goto(`${base}/g/gomoku`)
    await page.getByRole('checkbox', { name: /Rated game/ }).check()
    expect(await page.getByRole('checkbox', { name: /Hints and analysis/ }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Start' }).click()
    await expectStatus(page, /Your turn/)
    await clickPoint(page, 'H8')
    await expectStones(page, 2)
    // A rated game counts after two actions of each player.
    await clickPoint(page, 'A1')
    await expectStones(page, 4)
    expect(await page.getByRole('button', { name: /^(Undo|Take back)/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resign' }).click()
    await page.getByRole('button', { name: 'Really resign' }).click()
    await page
      .getByRole('button', { name: /Rematch|again/i })
      .first()
      .waitFor()

    const second = await newUser(PHONE)
    await second.page.goto(`${base}/me`)
    await second.page.getByRole('button', { name: 'Sign in' }).click()
    await second.page.getByLabel('Name to sign in with').fill(login.toUpperCase())
    await second.page.getByLabel('Password').fill('correct horse')
    await second.page.getByRole('button', { name: 'Sign in' }).click()
    await second.page.getByText(`You are signed in as ${login}.`).waitFor()
    await second.page.getByRole('row', { name: /Gomoku/ }).waitFor()
    await expectNoErrors(second)

    await second.page.getByRole('button', { name: 'Delete everything about me…' }).click()
    await second.page.getByLabel('Password').fill('correct horse')
    await second.page.getByRole('button', { name: 'Delete for good' }).click()
    await second.page.getByText('Everything about you was deleted.').waitFor()
    await page.goto(`${base}/me`)
    await page.getByRole('button', { name: 'Create an account' }).waitFor()
  })

  it('errors of name and password', async () => {
    const user = await newUser(undefined, /401/)
    const { page } = user
    await page.goto(`${base}/me`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Name to sign in with').fill('nobody-here')
    await page.getByLabel('Password').fill('wrong horse')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The name or the password is wrong.').waitFor()
    await expectNoErrors(user)
  })
})
