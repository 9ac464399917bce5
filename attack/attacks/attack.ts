/** The contract of an attack: something hostile that is done to Headway through its public doors, and how it went. */

export interface Attack {
  /** Equals the file name. */
  id: string
  /** What must hold, as a fact. */
  about: string
  /** How often it is tried: in `npm test`, and in `npm run attack`. */
  rounds: { short: number; full: number }
  run(stage: Stage, rounds: number): Promise<Verdict>
}

export type Stage = {
  /** Empty at first, and removed afterwards. */
  folder: string
  /** Numbers from 0 to 1 that follow from the seed and the name of the attack. */
  random: () => number
  /** Says how far the attack is. */
  progress(text: string): void
}

export type Verdict =
  | {
      /** What was tried and how often, with the figures that show that it hit. */
      tried: string
      /** What did not hold, a sentence of evidence each. */
      broken: string[]
    }
  /** Why it cannot be tried on this machine. */
  | { skipped: string }
