/** The session of the plan that all clients of a project share. */
import { createHash } from "node:crypto"
import { projectName } from "../../../board/project.ts"
import type { PlaceOfPlans } from "./place-of-plans.ts"

export type SharedSessionOptions = {
  place: PlaceOfPlans
  agent: string
  /** The name of the project's folder. */
  name: string
}

/** Looked up once: a plan that is finished while clients run stays theirs. */
export const findsSharedSession = (options: SharedSessionOptions): (() => Promise<string>) => {
  let shared: Promise<string> | undefined
  return () => {
    shared ??= sharedSession(options)
    shared.catch(() => {
      shared = undefined
    })
    return shared
  }
}

/**
 * The name follows from the project alone: servers that are started at the same moment, or while the store cannot be reached, do not see
 * each other's plans. Those of one project have to choose the same name, and those of two projects different ones.
 */
const sharedSession = async ({ place, agent, name }: SharedSessionOptions): Promise<string> => {
  const found = (await place.plans()).find((plan) => plan.agent === agent && isSharedName(plan.session))
  if (found) return found.session
  const from = await place.store()
  const project = place.projectIn(from)
  const others = (await from.list()).plans.filter((plan) => plan.project !== project)
  const taken = new Set(others.map(({ session }) => session))
  let attempt = 0
  const next = (): string => `${sharedName(project) ?? name}-shared-${numberOf(project, attempt)}`
  while (taken.has(next())) attempt += 1
  return next()
}

const isSharedName = (session: string): boolean => /-shared(?:-\d+)?$/.test(session)

/** The last part of a project's name in a store: in a database, clones in folders with other names have the same. */
const sharedName = (project: string): string | undefined => (project === "." ? undefined : projectName(project))

/** Eight digits that tell projects with the same folder name apart. */
const numberOf = (project: string, attempt: number): string =>
  String(
    createHash("sha256")
      .update(JSON.stringify([project, attempt]))
      .digest()
      .readUInt32BE() % 1e8,
  ).padStart(8, "0")
