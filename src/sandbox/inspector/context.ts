import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Model } from './model.ts';

export const ModelContext = createContext<Model | null>(null);

/** The page's model, in every component below the app. */
export const useModel = (): Model => {
  const model = useContext(ModelContext);
  if (model === null) throw new Error('a component stands outside of the app');
  return model;
};
