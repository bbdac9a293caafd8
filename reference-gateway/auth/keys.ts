import { type Key, type KeySet, readKeySet } from './jwks.ts'

/** Where keys come from. */
export interface Keys {
  /** The key that a token names; undefined where there is none. Rejects with `NoKeys` where none are known at all. */
  find(id: string | undefined): Key | undefined | Promise<Key | undefined>
}

/** The identity provider can't be reached, and no keys of it are good any more. */
export class NoKeys extends Error {}

/** The key of that id; without one, the only key there is. */
export function pick(keys: KeySet, id: string | undefined): Key | undefined {
  if (id !== undefined) return keys.get(id)
  return keys.size === 1 ? [...keys.values()][0] : undefined
}

/** The key that the configuration holds, whatever id a token names. */
export function fixedKeys(keys: KeySet): Keys {
  const key = pick(keys, undefined)
  return { find: () => key }
}

export interface RemoteOptions {
  /** Gives the text of the JWK set. */
  readonly load: () => Promise<string>
  readonly cacheMs: number
  readonly lastGoodMs: number
  /** Between two fetches there is at least so long, whoever asks. */
  readonly gapMs: number
  /** The time in ms. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * The keys of an identity provider. They are fetched when first needed, before they are `cacheMs` old, and when a token
 * names one that is not among them: then those who ask wait for one fetch together, so that invented ids cannot bring
 * more than one fetch in `gapMs`. While fetching fails, the last good keys hold until they are `lastGoodMs` old.
 */
export class RemoteKeys implements Keys {
  private readonly options: RemoteOptions
  private keys: KeySet | undefined
  private loadedAt = Number.NEGATIVE_INFINITY
  private triedAt = Number.NEGATIVE_INFINITY
  private failing = false
  private loading: Promise<void> | undefined

  constructor(options: RemoteOptions) {
    this.options = options
  }

  find(id: string | undefined): Key | undefined | Promise<Key | undefined> {
    const { cacheMs, now } = this.options
    const age = now() - this.loadedAt
    const key = this.keys && pick(this.keys, id)
    // The last quarter of their time is for fetching them anew while nobody has to wait.
    if (key && age < cacheMs) {
      if (age > cacheMs * 0.75) this.refresh()
      return key
    }
    return this.ask(id)
  }

  private async ask(id: string | undefined): Promise<Key | undefined> {
    const { lastGoodMs, cacheMs, now } = this.options
    const refreshed = this.refresh()
    // Nobody waits for a provider that has just not answered, as long as there are keys.
    if (!this.failing || !this.keys) await refreshed
    if (this.failing && now() - this.loadedAt > Math.max(lastGoodMs, cacheMs)) this.keys = undefined
    if (!this.keys) throw new NoKeys('no keys of the identity provider are known')
    return pick(this.keys, id)
  }

  /** Fetches the keys: at once, or as soon as the last fetch is long enough ago. Never rejects. */
  private refresh(): Promise<void> {
    this.loading ??= this.load().finally(() => {
      this.loading = undefined
    })
    return this.loading
  }

  private async load(): Promise<void> {
    const { load, gapMs, now, sleep } = this.options
    const wait = this.triedAt + gapMs - now()
    // Without any key, and after a failure, to wait would only make the refusal late.
    if (wait > 0) {
      if (this.failing) return
      await sleep(wait)
    }
    this.triedAt = now()
    try {
      const keys = readKeySet(await load())
      this.keys = keys
      this.loadedAt = now()
      this.failing = false
    } catch {
      this.failing = true
    }
  }
}
