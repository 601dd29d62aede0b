//! An offchain worker to try things with: it notes the time, may fetch a URL, and reports on chain.
//!
//! It sleeps until root calls `observe`, so a chain that seals on each transaction stays quiet. Reports travel as
//! general transactions which the call itself authorizes; no account signs them and none pays.

pub use pallet::*;

#[polkadot_sdk::frame_support::pallet]
pub mod pallet {
    use alloc::{vec, vec::Vec};
    use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
    use polkadot_sdk::{
        frame_support::pallet_prelude::*,
        frame_system::{
            ensure_authorized,
            offchain::{CreateAuthorizedTransaction, SubmitTransaction},
            pallet_prelude::*,
        },
        sp_runtime::{
            offchain::{http, storage::StorageValueRef, Duration},
            traits::Zero,
        },
        *,
    };

    const LOG_TARGET: &str = "observer";
    /// Local storage of the offchain worker: how often it ran.
    const RUNS_KEY: &[u8] = b"tabnode::observer::runs";
    /// Prefix of what `store_offchain` writes to the offchain database.
    const INDEX_PREFIX: &[u8] = b"tabnode::observer::index::";
    const FETCH_TIMEOUT_MS: u64 = 2_000;
    const MAX_URL_BYTES: u32 = 256;

    /// When the worker runs and what it fetches.
    #[derive(Clone, Debug, PartialEq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
    pub struct Settings {
        /// Blocks between two runs.
        pub interval: u32,
        /// Fetched in each run when given.
        pub url: Option<BoundedVec<u8, ConstU32<MAX_URL_BYTES>>>,
    }

    /// What a fetch gave.
    #[derive(Clone, Debug, PartialEq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
    pub struct Fetched {
        pub status: u16,
        pub body_bytes: u32,
    }

    /// What one run of the worker saw.
    #[derive(Clone, Debug, PartialEq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
    pub struct Report<BlockNumber> {
        /// The block the worker ran at.
        pub block: BlockNumber,
        /// The node's clock then, in milliseconds since 1970.
        pub time_ms: u64,
        /// How often this node's worker ran before.
        pub runs: u64,
        /// None when nothing was asked for, or the fetch failed.
        pub fetched: Option<Fetched>,
    }

    #[pallet::pallet]
    pub struct Pallet<T>(_);

    #[pallet::config]
    pub trait Config:
        polkadot_sdk::frame_system::Config<RuntimeEvent: From<Event<Self>>>
        + CreateAuthorizedTransaction<Call<Self>>
    {
    }

    /// None: the worker sleeps.
    #[pallet::storage]
    pub type Observing<T: Config> = StorageValue<_, Settings, OptionQuery>;

    /// The report that came last.
    #[pallet::storage]
    pub type Latest<T: Config> = StorageValue<_, Report<BlockNumberFor<T>>, OptionQuery>;

    #[pallet::event]
    #[pallet::generate_deposit(fn deposit_event)]
    pub enum Event<T: Config> {
        /// Root set the worker's task, or sent it to sleep.
        ObservingChanged { settings: Option<Settings> },
        /// The worker reported.
        Reported { report: Report<BlockNumberFor<T>> },
        /// A value was written to the offchain database.
        StoredOffchain { key: Vec<u8> },
    }

    #[pallet::error]
    pub enum Error<T> {
        /// The worker cannot run every zero blocks.
        ZeroInterval,
    }

    #[pallet::hooks]
    impl<T: Config> Hooks<BlockNumberFor<T>> for Pallet<T> {
        fn offchain_worker(block: BlockNumberFor<T>) {
            let Some(settings) = Observing::<T>::get() else { return };
            if !(block % settings.interval.into()).is_zero() {
                return;
            }
            let report = observe(block, settings);
            log::info!(target: LOG_TARGET, "reporting {report:?}");
            let transaction = T::create_authorized_transaction(Call::<T>::report { report }.into());
            if SubmitTransaction::<T, Call<T>>::submit_transaction(transaction).is_err() {
                log::warn!(target: LOG_TARGET, "the pool took no report at {block:?}");
            }
        }
    }

    #[pallet::call]
    impl<T: Config> Pallet<T> {
        /// Set the worker's task; None sends it to sleep.
        #[pallet::call_index(0)]
        #[pallet::weight(T::DbWeight::get().writes(1))]
        pub fn observe(origin: OriginFor<T>, settings: Option<Settings>) -> DispatchResult {
            ensure_root(origin)?;
            ensure!(settings.as_ref().is_none_or(|s| s.interval > 0), Error::<T>::ZeroInterval);
            Observing::<T>::set(settings.clone());
            Self::deposit_event(Event::ObservingChanged { settings });
            Ok(())
        }

        /// Report what the worker saw. Only the node itself may bring such a transaction.
        #[pallet::call_index(1)]
        #[pallet::weight(T::DbWeight::get().reads_writes(1, 1))]
        #[pallet::authorize(Pallet::<T>::authorize_report)]
        #[pallet::weight_of_authorize(T::DbWeight::get().reads(2))]
        pub fn report(origin: OriginFor<T>, report: Report<BlockNumberFor<T>>) -> DispatchResult {
            ensure_authorized(origin)?;
            Latest::<T>::put(&report);
            Self::deposit_event(Event::Reported { report });
            Ok(())
        }

        /// Write a value to the offchain database of every node that imports this block.
        #[pallet::call_index(2)]
        #[pallet::weight(T::DbWeight::get().writes(1) + Weight::from_parts(value.len() as u64 * 1_000, 0))]
        pub fn store_offchain(origin: OriginFor<T>, key: Vec<u8>, value: Vec<u8>) -> DispatchResult {
            ensure_signed(origin)?;
            sp_io::offchain_index::set(&[INDEX_PREFIX, &key].concat(), &value);
            Self::deposit_event(Event::StoredOffchain { key });
            Ok(())
        }
    }

    impl<T: Config> Pallet<T> {
        /// A report is good when the worker is awake and the report newer than the last one.
        fn authorize_report(
            source: TransactionSource,
            report: &Report<BlockNumberFor<T>>,
        ) -> TransactionValidityWithRefund {
            if source == TransactionSource::External || !Observing::<T>::exists() {
                return Err(InvalidTransaction::Call.into());
            }
            if Latest::<T>::get().is_some_and(|latest| latest.block >= report.block) {
                return Err(InvalidTransaction::Stale.into());
            }
            if report.block > frame_system::Pallet::<T>::block_number() {
                return Err(InvalidTransaction::Future.into());
            }
            let validity = ValidTransaction {
                priority: TransactionPriority::MAX / 2,
                provides: vec![("observer", report.block).encode()],
                longevity: 16,
                propagate: false,
                ..Default::default()
            };
            Ok((validity, Weight::zero()))
        }
    }

    fn observe<BlockNumber>(block: BlockNumber, settings: Settings) -> Report<BlockNumber> {
        let runs = StorageValueRef::persistent(RUNS_KEY)
            .mutate::<u64, (), _>(|runs| Ok(runs.ok().flatten().unwrap_or(0) + 1))
            .map_or(0, |runs| runs - 1);
        let fetched = settings.url.as_ref().and_then(|url| fetch(url));
        Report { block, time_ms: sp_io::offchain::timestamp().unix_millis(), runs, fetched }
    }

    fn fetch(url: &[u8]) -> Option<Fetched> {
        let url = core::str::from_utf8(url).ok()?;
        let deadline = sp_io::offchain::timestamp().add(Duration::from_millis(FETCH_TIMEOUT_MS));
        let pending = http::Request::get(url).deadline(deadline).send().ok()?;
        let response = pending.try_wait(deadline).ok()?.ok()?;
        let status = response.code;
        Some(Fetched { status, body_bytes: response.body().count() as u32 })
    }
}
