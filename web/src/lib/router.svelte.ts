/** Client-side routes: lobby, set-up, table, account, operations. */

export type Route = { page: 'lobby' } | { page: 'setup'; game: string } | { page: 'table'; id: string } | { page: 'me' } | { page: 'realTable' } | { page: 'ops' } | { page: 'notFound' }

/** Parses a path; unknown paths give `notFound`. */
export function parse(path: string): Route {
  if (path === '/' || path === '') return { page: 'lobby' }
  if (path === '/me' || path === '/me/') return { page: 'me' }
  if (path === '/codenames' || path === '/codenames/') return { page: 'realTable' }
  if (path === '/ops' || path === '/ops/') return { page: 'ops' }
  const match = /^\/(t|g)\/([^/]+)\/?$/.exec(path)
  if (!match) return { page: 'notFound' }
  let name: string
  try {
    name = decodeURIComponent(match[2]!)
  } catch {
    return { page: 'notFound' }
  }
  return match[1] === 't' ? { page: 'table', id: name } : { page: 'setup', game: name }
}

class Router {
  route = $state.raw<Route>({ page: 'lobby' })

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

/** For `<a href onclick={navigate}>`: stays in the page unless a new tab is wanted. */
export function navigate(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest('a')
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  router.go(new URL(link.href).pathname)
}
