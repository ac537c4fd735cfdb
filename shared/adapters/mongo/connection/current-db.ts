import type { Collection, CollectionOptions, Db } from 'mongodb'

/** A database whose operations, and those of its collections, each go by what `db` answers when they begin. */
export function currentDb(db: () => Db): Db {
  function collection(name: string, options?: CollectionOptions): Collection {
    let made: { readonly of: Db; readonly collection: Collection } | undefined
    // Made once for each client: a read asks for it several times.
    return forwarding(() => {
      const of = db()
      if (made?.of !== of) made = { of, collection: of.collection(name, options) }
      return made.collection
    })
  }
  return forwarding(db, { collection })
}

/** An object whose properties are its own, or else those of `current()` at the moment they are asked for. */
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
