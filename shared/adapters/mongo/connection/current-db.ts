import type { Collection, CollectionOptions, Db } from 'mongodb'

/** A database whose operations, and those of its collections, use whatever `db()` returns when they start. */
export function currentDb(db: () => Db): Db {
  function collection(name: string, options?: CollectionOptions): Collection {
    let cached: { readonly of: Db; readonly collection: Collection } | undefined
    // Cached for each client, since a read uses it several times.
    return forwarding(() => {
      const of = db()
      if (cached?.of !== of) cached = { of, collection: of.collection(name, options) }
      return cached.collection
    })
  }
  return forwarding(db, { collection })
}

/** An object with its own properties, and otherwise those of `current()` at the time of access. */
function forwarding<Target extends object>(current: () => Target, own: Readonly<Record<PropertyKey, unknown>> = {}) {
  return new Proxy({} as Target, {
    get(_, property) {
      if (property in own) return own[property]
      const target = current()
      const value = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
