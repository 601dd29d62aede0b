const list: readonly number[] = [1];
export const first: number = list[0];
export const page = document.title;
