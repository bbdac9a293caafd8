import type { Outlet } from './types.ts'

/** An outlet that passes all on to `out`, but for what `changes` does otherwise. */
export function through(out: Outlet, changes: Partial<Outlet>): Outlet {
  return {
    head: head => out.head(head),
    chunk: bytes => out.chunk(bytes),
    end: () => out.end(),
    fail: failure => out.fail(failure),
    ...changes,
  }
}
