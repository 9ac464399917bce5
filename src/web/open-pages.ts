/** The pages that listen to the board: how many there may be, and when each is woken. */

export type Page = {
  readonly device: string | undefined
  /** Wakes the page while it waits for the next change. */
  wake: (() => void) | undefined
  /** It is time for a keep-alive. */
  isBeat: boolean
  isGone: boolean
}

export type OpenPagesOptions = {
  /** See the limits of events. */
  limits: { pages: number; devicePages: number; beat: number }
}

export type OpenPages = {
  /** A new page, unless there are too many. */
  join(device: string | undefined): Page | undefined
  leave(page: Page): void
  wakeAll(): void
  /** Wakes all pages for the last time. */
  close(): void
}

export const createOpenPages = ({ limits }: OpenPagesOptions): OpenPages => {
  const pages = new Set<Page>()
  let beating: NodeJS.Timeout | undefined

  const wakeAll = (): void => {
    for (const page of pages) page.wake?.()
  }

  const beatAll = (): void => {
    for (const page of pages) {
      page.isBeat = true
      page.wake?.()
    }
  }

  const isFull = (device: string | undefined): boolean => {
    if (device === undefined) return pages.size >= limits.pages
    const own = [...pages].filter((page) => page.device === device).length
    return own >= limits.devicePages || pages.size >= limits.pages
  }

  return {
    join(device) {
      if (isFull(device)) return undefined
      const page: Page = { device, wake: undefined, isBeat: false, isGone: false }
      pages.add(page)
      beating ??= setInterval(beatAll, limits.beat).unref()
      return page
    },
    leave(page) {
      pages.delete(page)
      if (pages.size > 0) return
      clearInterval(beating)
      beating = undefined
    },
    wakeAll,
    close() {
      clearInterval(beating)
      wakeAll()
    },
  }
}
