"""Learning simulated over a CSV of texts and codes; the same as ``casegen learn``."""

from casegen.env.coding.simulate_learning import main

if __name__ == "__main__":
    main()
