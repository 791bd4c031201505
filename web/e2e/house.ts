/** People who walk through the house: each has a browser context of its own, watched for errors. */

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    base: string
    /** The operator's. */
    token: string
  }
}

export const base = inject('base')
export const operatorToken = inject('token')

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, locale: 'en-GB' }

/** The widths every page is looked at. */
export const SIZES = [
  ['desktop', DESKTOP],
  ['390 px', PHONE],
] as const

/** Where the pages of failed tests are kept. */
const PICTURES = join(import.meta.dirname, '../test-results')

let browser: Browser
let people: Person[] = []

/** Starts a browser for the tests of a file. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  })
  afterEach(async ({ task }) => {
    for (const [index, { page, leave }] of people.entries()) {
      if (task.result?.state === 'fail') await page.screenshot({ path: join(PICTURES, `${task.name} ${index + 1}.png`) })
      await leave()
    }
    people = []
  })
  afterAll(() => browser.close())
}

export interface Person {
  page: Page
  /** Everything that went wrong on the page: errors and violated policies. */
  problems: string[]
  leave: () => Promise<void>
}

declare global {
  interface Window {
    violations?: string[]
  }
}

/** Somebody with a browser; `expected` are console errors that belong to the walk. */
export async function somebody(options: BrowserContextOptions = DESKTOP, expected?: RegExp): Promise<Person> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const problems: string[] = []
  const note = (text: string) => {
    if (!expected?.test(text)) problems.push(text)
  }
  page.on('pageerror', (error) => note(`error: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && note(`console: ${message.text()}`))
  await page.addInitScript(() => {
    window.violations = []
    document.addEventListener('securitypolicyviolation', (event) => window.violations!.push(`${event.violatedDirective} ${event.blockedURI}`))
  })
  const person: Person = { page, problems, leave: () => context.close() }
  people.push(person)
  return person
}

/** The page has shown no error and broken no policy so far. */
export async function expectCalm({ page, problems }: Person): Promise<void> {
  expect(await page.evaluate(() => window.violations)).toEqual([])
  expect(problems).toEqual([])
}

/** A point of the board by its name, as the screen reader finds it. */
export const cell = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name} `) })

/** Clicks a point of the board. */
export async function clickPoint(page: Page, name: string): Promise<void> {
  const box = (await cell(page, name).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Places a stone once the board takes one (it does not while an action is on its way), and sees it lie there. */
export async function placeStone(page: Page, name: string): Promise<void> {
  await page.locator('[data-testid="board"][aria-readonly="false"]').waitFor()
  await clickPoint(page, name)
  await cell(page, name).and(page.getByRole('gridcell', { name: /stone/ })).waitFor()
}

export const stones = (page: Page) => page.getByRole('gridcell', { name: /stone/ })
export const status = (page: Page) => page.getByTestId('status')

/** Waits until the status line reads like this. */
export async function says(page: Page, text: RegExp, timeout = 20_000): Promise<void> {
  await status(page).filter({ hasText: text }).waitFor({ timeout })
}

/** Waits until so many stones lie on the board. */
export async function untilStones(page: Page, count: number, timeout = 20_000): Promise<void> {
  await expect.poll(() => stones(page).count(), { timeout }).toBe(count)
}

/** Makes a table over the API with the page's own guest, and opens it. */
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

/** What axe finds wrong on the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`))
  })
}
