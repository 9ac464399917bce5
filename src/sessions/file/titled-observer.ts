/** The observer of a session's file, whose titles are as they are shown: what was asked may be long, and is kept for thousands. */
import { createScanObserver, type ScanObserver, type ScanObserverOptions } from "../../streams/observe.ts"
import { titled } from "../title.ts"

export const createTitledObserver = (options?: ScanObserverOptions): ScanObserver => {
  const observer = createScanObserver(options)
  return { ...observer, take: (signal) => observer.take(titled(signal)) }
}
