/** The same bytes in the type that gRPC's code and the generated code ask for; nothing is copied. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
