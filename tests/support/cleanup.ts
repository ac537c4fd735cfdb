/** Called inside a `describe`: what it returns takes things to end after the running test, newest first. */
export function cleanup(): (end: () => unknown) => void {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return (end) => ends.push(end)
}
