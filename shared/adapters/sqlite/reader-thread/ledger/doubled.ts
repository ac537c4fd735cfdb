/** A copy of an array of twice its length. */
export function doubled<Of extends Float64Array | Int32Array | Uint32Array | Uint8Array>(
  array: Of,
  Type: new (size: number) => Of,
): Of {
  const larger = new Type(array.length * 2)
  larger.set(array)
  return larger
}
