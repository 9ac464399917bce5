/** What a run does not take over from the machine it runs on. Called by Vitest before it starts its workers. */
export const setup = (): void => {
  // Every Node that a test starts would read these certificates, which takes longer than all else of its start.
  // The tests speak to this machine alone and need none of them.
  delete process.env.NODE_EXTRA_CA_CERTS
}
