/** The places of the page: lobby, choosing, a table, what is mine, looking after the house. */

export type Route = { at: 'lobby' } | { at: 'choose'; game: string } | { at: 'table'; id: string } | { at: 'me' } | { at: 'ops' } | { at: 'nowhere' }

/** Reads a path; anything else is `nowhere`. */
export function parse(path: string): Route {
  if (path === '/' || path === '') return { at: 'lobby' }
  if (path === '/me' || path === '/me/') return { at: 'me' }
  if (path === '/ops' || path === '/ops/') return { at: 'ops' }
  const match = /^\/(t|g)\/([^/]+)\/?$/.exec(path)
  if (!match) return { at: 'nowhere' }
  let name: string
  try {
    name = decodeURIComponent(match[2]!)
  } catch {
    return { at: 'nowhere' }
  }
  return match[1] === 't' ? { at: 'table', id: name } : { at: 'choose', game: name }
}

class Router {
  route = $state.raw<Route>({ at: 'lobby' })

  start(): void {
    this.route = parse(location.pathname)
    addEventListener('popstate', () => (this.route = parse(location.pathname)))
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path)
    else history.pushState(null, '', path)
    this.route = parse(path)
    scrollTo(0, 0)
  }
}

export const router = new Router()

/** For `<a href onclick={follow}>`: stays in the page unless a new tab is wanted. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest('a')
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  router.go(new URL(link.href).pathname)
}
