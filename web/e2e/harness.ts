/** Test users: each has its own browser context, watched for errors. */

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    base: string
    /** The operator's token. */
    token: string
  }
}

export const base = inject('base')
export const operatorToken = inject('token')

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, locale: 'en-GB' }

/** Viewports of every page. */
export const SIZES = [
  ['desktop', DESKTOP],
  ['390 px', PHONE],
] as const

/** Screenshots of failed tests. */
const PICTURES = join(import.meta.dirname, '../test-results')

let browser: Browser
let users: User[] = []

/** Starts a browser for the tests of a file. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  })
  afterEach(async ({ task }) => {
    for (const [index, { page, close }] of users.entries()) {
      if (task.result?.state === 'fail') await page.screenshot({ path: join(PICTURES, `${task.name} ${index + 1}.png`) })
      await close()
    }
    users = []
  })
  afterAll(() => browser.close())
}

export interface User {
  page: Page
  /** Page errors and policy violations. */
  errors: string[]
  close: () => Promise<void>
}

declare global {
  interface Window {
    violations?: string[]
  }
}

/** Opens a browser context; `expected` matches console errors that belong to the test. */
export async function newUser(options: BrowserContextOptions = DESKTOP, expected?: RegExp): Promise<User> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const errors: string[] = []
  const report = (text: string) => {
    if (!expected?.test(text)) errors.push(text)
  }
  page.on('pageerror', (error) => report(`error: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && report(`console: ${message.text()}`))
  await page.addInitScript(() => {
    window.violations = []
    // Tests do not wait for the director, unless they test it.
    if (localStorage.getItem('parlour.prefs') === null) localStorage.setItem('parlour.prefs', JSON.stringify({ tempo: 'instant' }))
    document.addEventListener('securitypolicyviolation', (event) => window.violations!.push(`${event.violatedDirective} ${event.blockedURI}`))
  })
  const user: User = { page, errors, close: () => context.close() }
  users.push(user)
  return user
}

/** Asserts that the page has logged no error and violated no policy. */
export async function expectNoErrors({ page, errors }: User): Promise<void> {
  expect(await page.evaluate(() => window.violations)).toEqual([])
  expect(errors).toEqual([])
}

/** A point of the board by its accessible name. */
export const cell = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name} `) })

/** Clicks a point of the board. */
export async function clickPoint(page: Page, name: string): Promise<void> {
  const box = (await cell(page, name).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Places a stone once the board accepts one, and waits for it. */
export async function placeStone(page: Page, name: string): Promise<void> {
  await page.locator('[data-testid="board"][aria-readonly="false"]').waitFor()
  await clickPoint(page, name)
  await cell(page, name)
    .and(page.getByRole('gridcell', { name: /stone/ }))
    .waitFor()
}

export const stones = (page: Page) => page.getByRole('gridcell', { name: /stone/ })
export const status = (page: Page) => page.getByTestId('status')

/** Waits for a status line. */
export async function expectStatus(page: Page, text: RegExp, timeout = 20_000): Promise<void> {
  await status(page).filter({ hasText: text }).waitFor({ timeout })
}

/** Waits for a number of stones. */
export async function expectStones(page: Page, count: number, timeout = 20_000): Promise<void> {
  await expect.poll(() => stones(page).count(), { timeout }).toBe(count)
}

/** Creates a table over the API as the page's guest, and opens it. */
export async function openTable(page: Page, request: object): Promise<string> {
  if (!page.url().startsWith(base)) await page.goto(base)
  const id = await page.evaluate(async (body) => {
    const answer = await fetch('/api/v1/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return ((await answer.json()) as { table: { id: string } }).table.id
  }, request)
  await page.goto(`${base}/t/${id}`)
  await page.getByTestId('board').waitFor()
  return id
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violations that axe-core finds. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`))
  })
}
