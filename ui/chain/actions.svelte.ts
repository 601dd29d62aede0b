export { Actions } from '../state/action.svelte.ts';
