/** What a form does in place of sending itself. */
export const onSubmit =
  (act: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    act();
  };
