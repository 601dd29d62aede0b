enum Kind {
  One,
}

const later = async (): Promise<Kind> => Kind.One;

export default function start(input: any): void {
  later();
  console.log(input);
}
