/**
 * The observer of a session file, with titles shortened as they are shown: prompts may be long, and are kept for
 * thousands of sessions.
 */
import { createScanObserver, type ScanObserver, type ScanObserverOptions } from "../../streams/observe.ts"
import { titled } from "../title.ts"

export const createTitledObserver = (options?: ScanObserverOptions): ScanObserver => {
  const observer = createScanObserver(options)
  return { ...observer, take: (signal) => observer.take(titled(signal)) }
}
