/** The prompt at the bottom of the page: its purpose, and what happens with the input. */
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
