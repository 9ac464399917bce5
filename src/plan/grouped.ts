/** Things by what they have in common, in one pass: what belongs together may be a hundred thousand. */

export const groupedBy = <Thing>(things: Iterable<Thing>, keyOf: (thing: Thing) => string): Map<string, Thing[]> => {
  const groups = new Map<string, Thing[]>()
  for (const thing of things) addTo(groups, keyOf(thing), thing)
  return groups
}

export const addTo = <Thing>(groups: Map<string, Thing[]>, key: string, thing: Thing): void => {
  const group = groups.get(key)
  if (group) group.push(thing)
  else groups.set(key, [thing])
}
