/** Submit handler that runs `act` instead of submitting the form. */
export const onSubmit =
  (act: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    act();
  };
