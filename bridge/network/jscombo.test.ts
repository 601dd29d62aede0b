import '../pages/pairing-attacks.test.ts';
import './js-libp2p.test.ts';
