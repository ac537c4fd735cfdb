import { type OpenPage, openPage, type PageServices } from './open-page.ts'

/** The page that is open, if any, and what is said on it. */
export function createShownPage(update: () => void) {
  let open: OpenPage | undefined
  /** What this page says of the one before, and what the next one is to say. */
  let [notice, nextNotice] = ['', '']
  let announced = ''

  function announce(text: string): void {
    announced = text
    update()
  }

  function notify(text: string): void {
    nextNotice = text
  }

  return {
    page: () => open?.page,
    /** The path that it was opened for. */
    path: () => open?.path,
    notice: () => notice,
    announced: () => announced,
    hasUnsavedInput: () => open?.page.hasUnsavedInput?.() ?? false,
    open(services: Omit<PageServices, 'announce' | 'notify' | 'update'>): void {
      open = openPage({ ...services, update, announce, notify })
      ;[notice, nextNotice] = [nextNotice, '']
    },
    queryChanged(): void {
      // Values of another date may follow, which are not what was saved.
      notice = ''
      open?.page.queryChanged?.()
    },
    close(): void {
      open?.close()
      open = undefined
      announced = ''
    },
  }
}
