/** How long this process computed, for tests of how work grows: unlike a clock, it does not depend on what else the machine does. */

/** Milliseconds. What is timed must not wait for anything. */
export const cpuTimeOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
