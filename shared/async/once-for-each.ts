/**
 * The same answer again for the same object, made once, for as long as somebody has the object. For objects that don't
 * change. Without it, in one process, a GET takes a third more processor time and a list of 50 four times as much.
 */
export function onceForEach<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, Made>()
  return (of) => {
    const found = made.get(of)
    if (found !== undefined) return found
    const fresh = make(of)
    made.set(of, fresh)
    return fresh
  }
}
