/**
 * Texts of the errors that all pallets share, from sp_runtime (DispatchError, TokenError, TransactionalError)
 * and sp_arithmetic (ArithmeticError), because the metadata has no docs for them.
 * Names that say all are left out.
 */
export const sharedErrors: Readonly<Record<string, string>> = {
  Exhausted: 'Resources exhausted',
  Corruption: 'State corrupt',
  Unavailable: 'Resource unavailable',
  'Token.FundsUnavailable': 'Funds are unavailable',
  'Token.OnlyProvider': 'Account that must exist would die',
  'Token.BelowMinimum': 'Account cannot exist with the funds that would be given',
  'Token.CannotCreate': 'Account cannot be created',
  'Token.UnknownAsset': 'The asset in question is unknown',
  'Token.Frozen': 'Funds exist but are frozen',
  'Token.Unsupported': 'Operation is not supported by the asset',
  'Token.CannotCreateHold': 'Account cannot be created for recording amount on hold',
  'Token.NotExpendable': 'Account that is desired to remain would die',
  'Token.Blocked': 'Account cannot receive the assets',
  'Arithmetic.Underflow': 'An underflow would occur',
  'Arithmetic.Overflow': 'An overflow would occur',
  'Transactional.LimitReached': 'Too many transactional layers have been spawned',
  'Transactional.NoLayer': 'A transactional layer was expected, but does not exist',
};
