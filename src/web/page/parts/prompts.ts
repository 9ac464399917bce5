/** The one line that is being typed at the foot of the page: what it is for, and what to do with it. */
import { createStore, type Store } from "../store.ts"

export type Prompt = {
  label: string
  /** What it begins with. */
  text: string
  /** On the button. */
  does: string
  /** An empty line counts as well. */
  mayBeEmpty: boolean
  answer(text: string): void
}

export type Prompts = Store<Prompt | undefined> & { ask(prompt: Prompt): void }

export const createPrompts = (): Prompts => {
  const store = createStore<Prompt | undefined>(undefined)
  return {
    ...store,
    get value() {
      return store.value
    },
    ask: (prompt) => store.set(prompt),
  }
}
