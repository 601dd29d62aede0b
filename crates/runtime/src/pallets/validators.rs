//! Validators chosen by root: the simplest session manager that lets authority sets change.
//!
//! `set_validators` takes effect at the session after next, as pallet-session prepares one session ahead.
//! BABE then announces the authorities of the next epoch and GRANDPA schedules a set change.

pub use pallet::*;

#[polkadot_sdk::frame_support::pallet]
pub mod pallet {
    use alloc::{collections::BTreeSet, vec::Vec};
    use polkadot_sdk::{
        frame_support::pallet_prelude::*,
        frame_system::pallet_prelude::*,
        pallet_session::{self, historical},
        sp_staking::SessionIndex,
        *,
    };

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
    }

    #[pallet::genesis_build]
    impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
        fn build(&self) {
            let chosen =
                BoundedVec::try_from(self.validators.clone()).expect("too many validators in genesis");
            Chosen::<T>::put(chosen);
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
