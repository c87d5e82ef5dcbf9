// The limits of the adapter: requests that the SDK's public surface cannot take, and
// members of the adapter's own parts that the SDK uses although the adapter does not offer them.

/** Raised when this request is out of the public surface's reach. */
export class OutOfReach extends Error {}

/** A failure that the SDK must see: one that the request scripts, or one of the FTS5 engine. */
export class PartFailure extends Error {}

// JavaScript itself reads these: `await` a `then`, JSON a `toJSON`.
const READ_BY_THE_LANGUAGE = new Set(['then', 'toJSON', ...Object.getOwnPropertyNames(Object.prototype)]);

/**
 * The parts that the adapter gives to one search: index, embedder, reranker, and the request.
 *
 * The SDK catches errors of these parts and returns a result all the same. An unknown member would therefore
 * count as a failure of the SDK. `check` raises `OutOfReach` instead, for the first member that the SDK
 * read and the part lacks, and for the first call with arguments that the part does not understand. An SDK
 * that tests for an optional member with `in` sees that it is absent, which is true.
 */
export class Parts {
  #reason;

  /** The part under its name in messages, as the SDK receives it. */
  offer(name, members) {
    return new Proxy(members, {
      get: (part, key) => {
        if (Object.hasOwn(part, key)) return this.#guarded(`${name}.${key}`, part[key]);
        if (typeof key === 'string' && !READ_BY_THE_LANGUAGE.has(key)) {
          this.#reason ??= `the SDK uses \`${name}.${key}\`, which the adapter does not offer`;
        }
        return Reflect.get(part, key);
      },
    });
  }

  /** Raises `OutOfReach` if the search used anything that the adapter does not offer. */
  check() {
    if (this.#reason !== undefined) throw new OutOfReach(this.#reason);
  }

  #guarded(name, member) {
    if (typeof member !== 'function') return member;
    const failed = (error) => {
      if (!(error instanceof PartFailure)) {
        this.#reason ??= `the SDK calls \`${name}\` in a way that the adapter does not understand: ${error.message}`;
      }
      throw error;
    };
    return (...values) => {
      try {
        const result = member(...values);
        return result instanceof Promise ? result.catch(failed) : result;
      } catch (error) {
        return failed(error);
      }
    };
  }
}

/** Raises an error unless the value of an argument has this type. */
export function expect(type, value, name) {
  const found = Array.isArray(value) ? 'array' : typeof value;
  if (found !== type) throw new TypeError(`${name} is of type ${found}, not ${type}`);
}
