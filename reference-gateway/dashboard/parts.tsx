import { type Ref, ref, type VNode, type VNodeChild } from 'vue'
import { said } from './live.ts'

/** Several panels in a row of one look: a heading, something at its side, and what it is about. */
export const panel = (id: string, title: string, side: VNodeChild, body: VNodeChild): VNode => (
  <section class={['panel', id]} id={id} aria-labelledby={`${id}-title`} tabindex={-1}>
    <header class="panel-head">
      <h2 id={`${id}-title`}>{title}</h2>
      {/* In a list, as a child that stands alone would be written out where it is false. */}
      <div class="side">{[side]}</div>
    </header>
    {body}
  </section>
)

/** What is said where a list is empty, or the gateway does not have it. */
export const empty = (title: string, next: VNodeChild): VNode => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <p>{next}</p>
  </div>
)

/** A state in a word and a colour. */
export const badge = (tone: 'good' | 'bad' | 'wait' | 'plain', text: string): VNode => (
  <span class={['badge', tone]}>{text}</span>
)

/** Pieces of a line, which breaks between them sooner than within one. */
export const pieces = (texts: readonly VNodeChild[]): VNodeChild =>
  texts.map((text, i) => [<span class="piece">{[text, i < texts.length - 1 && ' ·']}</span>, ' '])

/** A name that may break after its underscores. */
export const breakable = (name: string): VNodeChild =>
  name.split(/(?<=_)/).flatMap((part, i) => [i > 0 && <wbr />, part])

/** A task of the operator: whether it is under way, and what went wrong. */
export interface Task {
  readonly busy: Ref<string>
  readonly fault: Ref<string>
  /** Runs it; `what` tells one from the others, `done` is read out. True where it worked. */
  run(what: string, done: string, work: () => Promise<unknown>): Promise<boolean>
}

/** Makes a Task. */
export function useTask(): Task {
  const busy = ref('')
  const fault = ref('')
  return {
    busy,
    fault,
    async run(what, done, work) {
      if (busy.value) return false
      busy.value = what
      fault.value = ''
      try {
        await work()
        said.value = done
        return true
      } catch (cause) {
        fault.value =
          cause instanceof TypeError ? 'The gateway cannot be reached: try again.' : (cause as Error).message
        return false
      } finally {
        busy.value = ''
      }
    },
  }
}

/** What went wrong, if anything. */
export const faultOf = ({ fault }: Task): VNode => (
  <p class="fault" role="alert" hidden={fault.value === ''}>
    {fault.value}
  </p>
)
