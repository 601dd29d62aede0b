/** Shows the number of the best block. */
export const drawBlock = (number: number): void => {
  const element = document.querySelector('output');
  if (element !== null) element.textContent = `#${number}`;
};
