/**
 * Memoizes a function of an immutable object for the lifetime of that object. Without it, in a single process, a GET takes
 * a third more processor time and a list of 50 four times as much.
 */
export function memoized<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, Made>()
  return (of) => {
    const found = made.get(of)
    if (found !== undefined) return found
    const fresh = make(of)
    made.set(of, fresh)
    return fresh
  }
}
