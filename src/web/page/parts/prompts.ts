/** The prompt at the bottom of the page: its purpose, and what happens with the input. */
import { createStore, type Store } from "../store.ts"

export type Prompt = {
  label: string
  /** The initial text. */
  text: string
  /** The button's label. */
  does: string
  /** Whether an empty line is accepted. */
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
