//! Validators chosen by root: the simplest session manager that lets authority sets change.
//!
//! `set_validators` takes effect at the session after next, as pallet-session prepares one session ahead.
//! BABE then announces the authorities of the next epoch and GRANDPA schedules a set change.
//!
//! Genesis decides how long a session lasts, so that one runtime serves chains with long and with short sessions.

pub use pallet::*;

#[polkadot_sdk::frame_support::pallet]
pub mod pallet {
    use alloc::{collections::BTreeSet, vec::Vec};
    use core::marker::PhantomData;
    use polkadot_sdk::{
        frame_support::{pallet_prelude::*, traits::ConstU64},
        frame_system::pallet_prelude::*,
        pallet_session::{self, historical},
        sp_staking::SessionIndex,
        *,
    };

    /// Slots in a session when genesis does not say: the length that was fixed up to spec version 100, so that a
    /// chain upgraded from there keeps its sessions.
    pub const DEFAULT_SESSION_SLOTS: u64 = 20;

    #[pallet::pallet]
    pub struct Pallet<T>(_);

    #[pallet::config]
    pub trait Config:
        polkadot_sdk::frame_system::Config<RuntimeEvent: From<Event<Self>>>
        + pallet_session::Config<ValidatorId = <Self as polkadot_sdk::frame_system::Config>::AccountId>
    {
        /// Most validators root may choose.
        #[pallet::constant]
        type MaxValidators: Get<u32>;
    }

    /// The validators of the sessions to come.
    #[pallet::storage]
    pub type Chosen<T: Config> = StorageValue<_, BoundedVec<T::AccountId, T::MaxValidators>, ValueQuery>;

    /// Whether `Chosen` has changed since the last session was prepared.
    #[pallet::storage]
    pub type Changed<T: Config> = StorageValue<_, bool, ValueQuery>;

    /// Slots in a session, which is also an epoch of BABE. Written at genesis and never again: BABE numbers its
    /// epochs by dividing slots by it.
    #[pallet::storage]
    pub type SessionSlots<T: Config> = StorageValue<_, u64, ValueQuery, ConstU64<DEFAULT_SESSION_SLOTS>>;

    #[pallet::event]
    #[pallet::generate_deposit(fn deposit_event)]
    pub enum Event<T: Config> {
        /// Root chose the validators of the sessions to come.
        ValidatorsChosen { validators: Vec<T::AccountId> },
    }

    #[pallet::error]
    pub enum Error<T> {
        /// A chain without validators makes no blocks.
        Empty,
        /// More validators than the chain can have.
        TooMany,
        /// An account was named twice.
        Duplicate,
        /// A validator has set no session keys.
        NoSessionKeys,
    }

    #[pallet::genesis_config]
    #[derive(frame_support::DefaultNoBound)]
    pub struct GenesisConfig<T: Config> {
        /// The first validators. Their session keys are the session pallet's part of genesis.
        pub validators: Vec<T::AccountId>,
        /// Slots in a session for the whole life of the chain; `DEFAULT_SESSION_SLOTS` when absent.
        pub session_slots: Option<u64>,
    }

    #[pallet::genesis_build]
    impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
        fn build(&self) {
            let chosen =
                BoundedVec::try_from(self.validators.clone()).expect("too many validators in genesis");
            Chosen::<T>::put(chosen);
            if let Some(slots) = self.session_slots {
                assert!(slots > 0, "a session has at least one slot");
                SessionSlots::<T>::put(slots);
            }
        }
    }

    /// Slots in a session, as the pallets that need the length are told it.
    pub struct SessionLength<T>(PhantomData<T>);
    impl<T: Config> Get<u64> for SessionLength<T> {
        fn get() -> u64 {
            SessionSlots::<T>::get()
        }
    }

    #[pallet::call]
    impl<T: Config> Pallet<T> {
        /// Choose the validators of the session after next. Each must have set its session keys.
        #[pallet::call_index(0)]
        #[pallet::weight(T::DbWeight::get().reads_writes(validators.len() as u64 + 1, 2))]
        pub fn set_validators(origin: OriginFor<T>, validators: Vec<T::AccountId>) -> DispatchResult {
            ensure_root(origin)?;
            ensure!(!validators.is_empty(), Error::<T>::Empty);
            ensure!(
                validators.iter().collect::<BTreeSet<_>>().len() == validators.len(),
                Error::<T>::Duplicate
            );
            ensure!(
                validators.iter().all(pallet_session::NextKeys::<T>::contains_key),
                Error::<T>::NoSessionKeys
            );
            let chosen = BoundedVec::try_from(validators.clone()).map_err(|_| Error::<T>::TooMany)?;
            Chosen::<T>::put(chosen);
            Changed::<T>::put(true);
            Self::deposit_event(Event::ValidatorsChosen { validators });
            Ok(())
        }
    }

    impl<T: Config> pallet_session::SessionManager<T::AccountId> for Pallet<T> {
        /// None leaves the validators as they are, so GRANDPA sees a change only when there is one.
        fn new_session(_: SessionIndex) -> Option<Vec<T::AccountId>> {
            Changed::<T>::take().then(|| Chosen::<T>::get().into_inner())
        }

        fn new_session_genesis(_: SessionIndex) -> Option<Vec<T::AccountId>> {
            let chosen = Chosen::<T>::get().into_inner();
            (!chosen.is_empty()).then_some(chosen)
        }

        fn start_session(_: SessionIndex) {}

        fn end_session(_: SessionIndex) {}
    }

    impl<T: Config> historical::SessionManager<T::AccountId, ()> for Pallet<T> {
        fn new_session(index: SessionIndex) -> Option<Vec<(T::AccountId, ())>> {
            <Self as pallet_session::SessionManager<_>>::new_session(index).map(identified)
        }

        fn new_session_genesis(index: SessionIndex) -> Option<Vec<(T::AccountId, ())>> {
            <Self as pallet_session::SessionManager<_>>::new_session_genesis(index).map(identified)
        }

        fn start_session(_: SessionIndex) {}

        fn end_session(_: SessionIndex) {}
    }

    fn identified<AccountId>(validators: Vec<AccountId>) -> Vec<(AccountId, ())> {
        validators.into_iter().map(|validator| (validator, ())).collect()
    }
}
