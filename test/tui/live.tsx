/** A component on a living screen: rendered, changed and typed at, with everything settled after each step. */
import { render } from "ink-testing-library"
import { act, type ReactElement } from "react"
import { onTestFinished } from "vitest"

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

export const live = async (element: ReactElement) => {
  const screen = await act(async () => render(element))
  onTestFinished(() =>
    act(async () => {
      screen.unmount()
      screen.cleanup()
    }),
  )
  return {
    ...screen,
    frame: (): string => screen.lastFrame() ?? "",
    /** Each key by itself, but all of them before anything is redrawn. */
    press: (...keys: string[]) =>
      act(async () => {
        for (const key of keys) screen.stdin.write(key)
      }),
    rerender: (next: ReactElement) => act(async () => screen.rerender(next)),
    unmount: () => act(async () => screen.unmount()),
  }
}

/** Does something that changes what is shown. */
export const settle = <Result,>(change: () => Promise<Result>): Promise<Result> => act(change)
