import { type Aggregate, reject } from '#domain/kernel/decider.ts';
import type { Use } from '#domain/place/state.ts';
import type { ImageEvent, ImageFacts } from './events.ts';

export interface ImageState {
  readonly facts: ImageFacts | null;
  readonly removed: boolean;
}

export type ImageCommand =
  | ({ readonly type: 'AddImage' } & ImageFacts)
  | { readonly type: 'RemoveImage'; readonly usedBy: readonly Use[] };

/** Refuses with NOT_FOUND, IN_USE. The file stays: its name is derived from its content. */
export const image: Aggregate<ImageState, ImageCommand, ImageEvent> = {
  name: 'image',
  initial: { facts: null, removed: false },
  evolve: (state, event) =>
    event.type === 'ImageAdded' ? { ...state, facts: event.data } : { ...state, removed: true },
  decide(state, command) {
    if (command.type === 'AddImage') {
      if (state.facts) return [];
      const { type: _, ...data } = command;
      return [{ type: 'ImageAdded', data }];
    }
    if (!state.facts) return reject('NOT_FOUND');
    if (state.removed) return [];
    const { usedBy } = command;
    return usedBy.length > 0
      ? reject('IN_USE', { usedBy })
      : [{ type: 'ImageRemoved', data: { imageId: state.facts.imageId } }];
  },
};
